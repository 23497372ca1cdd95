const listeners = new Set<() => void>()

/** Opens the command palette, for people without a keyboard. */
export function askPalette(): void {
  for (const listener of listeners) listener()
}

export function onPaletteAsked(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
