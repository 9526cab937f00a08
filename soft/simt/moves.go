package simt

// These choose the generated form for a bank; matrices have none of them.

func broadcast(k bank, d, a int) step {
	switch k {
	case bankF:
		return broadcastF(d, a)
	case bankU:
		return broadcastU(d, a)
	}
	return broadcastQ(d, a)
}

func broadcastMasked(k bank, d, a int) step {
	switch k {
	case bankF:
		return broadcastMaskedF(d, a)
	case bankU:
		return broadcastMaskedU(d, a)
	}
	return broadcastMaskedQ(d, a)
}

func copyRow(k bank, d, a int) step {
	switch k {
	case bankF:
		return copyRowF(d, a)
	case bankU:
		return copyRowU(d, a)
	}
	return copyRowQ(d, a)
}

func copyMasked(k bank, d, a int) step {
	switch k {
	case bankF:
		return copyMaskedF(d, a)
	case bankU:
		return copyMaskedU(d, a)
	}
	return copyMaskedQ(d, a)
}

func copyScalar(k bank, d, a int) step {
	switch k {
	case bankF:
		return copyScalarF(d, a)
	case bankU:
		return copyScalarU(d, a)
	}
	return copyScalarQ(d, a)
}

func firstActive(k bank, d, a int) step {
	switch k {
	case bankF:
		return firstActiveF(d, a)
	case bankU:
		return firstActiveU(d, a)
	}
	return firstActiveQ(d, a)
}

func arrayGet(k bank, d, a, index, n int, site *accessSite) step {
	switch k {
	case bankF:
		return arrayGetF(d, a, index, n, site)
	case bankU:
		return arrayGetU(d, a, index, n, site)
	}
	return arrayGetQ(d, a, index, n, site)
}

func arrayGetUniform(k bank, d, a, index, n int, site *accessSite) step {
	switch k {
	case bankF:
		return arrayGetUniformF(d, a, index, n, site)
	case bankU:
		return arrayGetUniformU(d, a, index, n, site)
	}
	return arrayGetUniformQ(d, a, index, n, site)
}

func arraySet(k bank, d, index, b, n int, site *accessSite) step {
	switch k {
	case bankF:
		return arraySetF(d, index, b, n, site)
	case bankU:
		return arraySetU(d, index, b, n, site)
	}
	return arraySetQ(d, index, b, n, site)
}

func arraySetUniform(k bank, d, index, b, n int, site *accessSite) step {
	switch k {
	case bankF:
		return arraySetUniformF(d, index, b, n, site)
	case bankU:
		return arraySetUniformU(d, index, b, n, site)
	}
	return arraySetUniformQ(d, index, b, n, site)
}
