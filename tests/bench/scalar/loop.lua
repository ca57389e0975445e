local n, acc = tonumber(arg[1]), 1
if bit then
  local xor = bit.bxor
  for i = 0, n - 1 do
    for j = 0, 9999 do acc = xor(acc + j, i) end
  end
else
  acc = load([[local n, acc = ...
  for i = 0, n - 1 do
    for j = 0, 9999 do acc = (acc + j) ~ i end
  end
  return acc]])(math.tointeger(n), acc)
end
acc = acc % 4294967296
print(string.format("%.0f", acc < 2147483648 and acc or acc - 4294967296))
