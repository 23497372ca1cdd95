/** Freezes a plain value and all values within it. Returns the value. */
export function freezeWithin<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const inner of Object.values(value)) freezeWithin(inner)
  return value
}
