/** What a key does on the canvas. Copying, cutting and pasting have events of their own. */
export type Shortcut =
  | 'save'
  | 'undo'
  | 'redo'
  | 'duplicate'
  | 'select-all'
  | 'search-nodes'
  | 'connect'
  | 'outline'
  | 'text'
  | 'help'
  | 'run'
  | 'rename'
  | 'deselect'

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

const WITH_CTRL: Readonly<Record<string, Shortcut>> = {
  s: 'save',
  z: 'undo',
  y: 'redo',
  d: 'duplicate',
  a: 'select-all',
}

const ALONE: Readonly<Record<string, Shortcut>> = {
  '/': 'search-nodes',
  c: 'connect',
  o: 'outline',
  '?': 'help',
  r: 'run',
  f2: 'rename',
  escape: 'deselect',
}

/**
 * The shortcut of a key press; undefined for other keys. Where a text is edited only saving and the text
 * beside the canvas are shortcuts: all other keys belong to the text.
 */
export function shortcutOf(
  { key, ctrlKey, metaKey, shiftKey, altKey }: Keys,
  inText: boolean,
): Shortcut | undefined {
  const name = key.toLowerCase()
  if (altKey) return name === 't' && !ctrlKey && !metaKey ? 'text' : undefined
  if (ctrlKey || metaKey) {
    const found = name === 'z' && shiftKey ? 'redo' : WITH_CTRL[name]
    return inText && found !== 'save' ? undefined : found
  }
  return inText ? undefined : ALONE[name]
}
