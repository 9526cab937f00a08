// Package safetensors reads and writes files of the safetensors format: an 8-byte
// little-endian header length, a JSON header, and one buffer of packed, row-major,
// little-endian tensor data.
//
// It owns the file format and nothing else: no device, no arithmetic beyond widening
// 16-bit floats. A file is treated as hostile. Every number in the header is checked
// before it is used, the tensors must cover the data exactly, without gaps or overlaps,
// and a tensor's bytes are read only when asked for.
//
// Reference: https://huggingface.co/docs/safetensors/index#format
package safetensors
