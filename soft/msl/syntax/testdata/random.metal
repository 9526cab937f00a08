#include <metal_stdlib>

static constexpr constant uint32_t rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};

union rbits {
  metal::uint2 val;
  metal::uchar4 bytes[2];
};

rbits threefry2x32_hash(const thread metal::uint2& key, metal::uint2 count) {
  metal::uint4 ks = {key.x, key.y, key.x ^ key.y ^ 0x1BD11BDA};
  rbits v;
  v.val.x = count.x + ks[0];
  v.val.y = count.y + ks[1];
  for (int i = 0; i < 5; ++i) {
    for (const thread auto* r = &ks; r < &ks + 1; ++r) {
      v.val.x += v.val.y;
      v.val.y = (v.val.y << rotations[i & 1][0]) | (v.val.y >> (32 - rotations[i & 1][0]));
      v.val.y ^= v.val.x;
    }
    v.val += metal::uint2(ks[(i + 1) % 3], ks[(i + 2) % 3] + i + 1);
  }
  return v;
}

[[kernel]] void rbitsc(device const uint32_t* keys, device char* out, constant const bool& odd, constant const uint& bytes_per_key,
    metal::uint2 grid_dim [[threads_per_grid]], metal::uint2 index [[thread_position_in_grid]]) {
  auto kidx = 2 * index.x;
  auto key = metal::uint2(keys[kidx], keys[kidx + 1]);
  auto half_size = grid_dim.y - odd;
  out += index.x * bytes_per_key;
  bool drop_last = odd && (index.y == half_size);
  auto bits = threefry2x32_hash(key, metal::uint2(index.y, drop_last ? 0 : index.y + grid_dim.y));
  size_t idx = size_t(index.y) << 2;
  for (int i = 0; i < 4; ++i) { out[idx + i] = bits.bytes[0][i]; }
  if (!drop_last) {
    idx = (drop_last ? 0 : size_t(index.y) + grid_dim.y) << 2;
    if ((index.y + 1) == half_size && (bytes_per_key % 4) > 0) {
      int edge_bytes = (bytes_per_key % 4);
      for (int i = 0; i < edge_bytes; ++i) out[idx + i] = bits.bytes[1][i];
    }
  }
}
