local n, a, b, c = tonumber(arg[1]), {}, {}, {}
for i = 1, 16384 do
  a[i], b[i], c[i] = (i - 1) % 7 + 0.0, (i - 1) % 5 + 0.0, 0.0
end
for _ = 1, n do
  for row = 0, 16256, 128 do
    for j = 1, 128 do
      local sum, q = 0.0, j
      for k = 1, 128 do
        sum = sum + a[row + k] * b[q]
        q = q + 128
      end
      c[row + j] = sum
    end
  end
end
print(string.format("%.0f", c[10001]))
