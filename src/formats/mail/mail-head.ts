/** A line of a mailbox that begins a mail: it names a sender and a time. */
export const MAIL_BEGINS = /^From .{1,200}?\d{1,2}:\d{2}.{1,60}?\d{4}/

/** Fields that mails have, and other texts with lines `name: value` do not have together. */
const FIELDS = /^(?:date|delivered-to|from|message-id|mime-version|received|return-path|subject|to):/gim

/** Different fields that a mail has at least. */
const FEWEST = 3

/**
 * Whether a text whose name does not say it is a mail or a mailbox: both often have names without an ending.
 *
 * @param head the first bytes of a file
 */
export function mailTypeOf(head: Uint8Array): 'eml' | 'mbox' | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 16_384)).toString('latin1')
  if (MAIL_BEGINS.test(text.slice(0, 512).split('\n', 1)[0]!)) return 'mbox'
  if (!/^[A-Za-z][\w-]*:/.test(text)) return undefined
  const headers = text.split(/\r?\n\r?\n/, 1)[0]!
  const found = new Set(headers.match(FIELDS)?.map((field) => field.toLowerCase()))
  return found.size >= FEWEST && found.has('from:') ? 'eml' : undefined
}
