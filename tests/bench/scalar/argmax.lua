local n, p, x = tonumber(arg[1]), {}, 12345
for i = 1, 1000000 do
  x = (x * 1664525 + 1013904223) % 4294967296
  p[i] = math.floor((x >= 2147483648 and x - 4294967296 or x) / 256) + 0.0
end
local sum = 0
for _ = 1, n do
  local max, at = -math.huge, 1
  for i = 1, 1000000 do
    local v = p[i]
    if v > max then max, at = v, i end
  end
  sum = sum + at - 1
end
print(string.format("%.0f", sum))
