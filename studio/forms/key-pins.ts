/**
 * The pins of a key as they are typed: `tenant=acme, region=eu`.
 *
 * @throws Error for a part without `=`, and for a name that occurs twice
 */
export function pinsOf(text: string): Record<string, string> {
  const pins = new Map<string, string>()
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') continue
    const at = part.indexOf('=')
    const name = part.slice(0, Math.max(at, 0)).trim()
    if (name === '') throw new Error(`Pins: ${part} has no form name=value`)
    if (pins.has(name)) throw new Error(`Pins: ${name} occurs twice`)
    pins.set(name, part.slice(at + 1).trim())
  }
  return Object.fromEntries(pins)
}

/** The same text again. */
export const pinsText = (pins: Readonly<Record<string, string>>): string =>
  Object.entries(pins)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')
