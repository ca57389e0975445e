local n, steps = tonumber(arg[1]), 0
if bit then
  local band, shift = bit.band, bit.rshift
  for _ = 1, n do
    for i = 2, 9999 do
      local v = i
      repeat
        if band(v, 1) ~= 0 then v = v * 3 + 1 else v = shift(v, 1) end
        steps = steps + 1
      until v == 1
    end
  end
else
  steps = load([[local n, steps = ...
  for _ = 1, n do
    for i = 2, 9999 do
      local v = i
      repeat
        if v & 1 ~= 0 then v = v * 3 + 1 else v = v >> 1 end
        steps = steps + 1
      until v == 1
    end
  end
  return steps]])(n, 0)
end
print(string.format("%.0f", steps))
