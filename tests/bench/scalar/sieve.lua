local n, s, count = tonumber(arg[1]), {}, 0
for i = 1, 1000000 do s[i] = 0 end
for left = n, 1, -1 do
  local mark = left % 255 + 1
  for i = 2, 999 do
    if s[i] ~= mark then
      for j = i * i, 999999, i do s[j] = mark end
    end
  end
  for i = 2, 999999 do
    if s[i] ~= mark then count = count + 1 end
  end
end
print(string.format("%.0f", count))
