/** A word of every chunk. */
export const COMMON_WORD = 'lock'

function folder(version: 'earlier' | 'later'): Record<string, string> {
  const files: Record<string, string> = {}
  for (let number = 0; number < 60; number++) {
    const changes = CHANGES[number % CHANGES.length]!
    if (changes === (version === 'earlier' ? 'new' : 'gone')) continue
    const parts = [
      paragraph('shared', number % 7),
      ...[1, 2, 3, 4].map((at) => paragraph(`own ${number}`, at)),
    ]
    if (version === 'later' && changes === 'changed') parts[2] = paragraph(`changed ${number}`, 2)
    if (version === 'later' && changes === 'shorter') parts.splice(1, 1)
    const write = FORMATS[number % FORMATS.length]!
    files[`${String(number).padStart(2, '0')} ${changes}${write.ending}`] = write.text(parts)
  }
  return files
}

const CHANGES = ['same', 'changed', 'shorter', 'new', 'gone'] as const

const FORMATS = [
  { ending: '.txt', text: (parts: string[]) => parts.join('\n\n') },
  { ending: '.md', text: (parts: string[]) => parts.join('\n\n') },
  {
    ending: '.csv',
    text: (parts: string[]) => `number,note\n${parts.map((part, i) => `${i},${part}`).join('\n')}`,
  },
  { ending: '.jsonl', text: (parts: string[]) => parts.map((text) => JSON.stringify({ text })).join('\n') },
]

/** More than half a chunk long, so that no two of them share one. */
const paragraph = (owner: string, at: number): string =>
  `The lock keeper writes about ${owner} in entry ${at}. ` +
  [...'abcde'].map((letter) => `Gate ${letter}${at} of ${owner} was raised`).join(' and ')

/**
 * Two versions of a folder: of its 60 files some stay, some change in a paragraph, some lose one, some are new and some
 * go. A paragraph, a row and a line are a chunk each, and each has the word "lock"; the first paragraph is the same in
 * many files.
 */
export const VERSIONS = { earlier: folder('earlier'), later: folder('later') }
