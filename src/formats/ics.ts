import type { DocumentPart, Metadata } from '../contract/document.ts'
import { SluiceError } from '../kit/errors.ts'
import { type IcsProperty, parseProperty, unescapeText, unfold } from './ics-lines.ts'
import { describedText } from './ics-description.ts'
import { calendarTime, person, repetition } from './ics-values.ts'
import { oneLine } from './markdown-table.ts'
import type { StreamReader } from './reader.ts'
import { textLines } from './text-lines.ts'

/**
 * Reads a calendar (RFC 5545): a document per event, task and journal entry, with its title, times, place, people and
 * description. Metadata: `event` (from 1, in the order of the file), `summary`, `start`, `end`, `due`, `location`,
 * `uid`, where it has them. Alarms, time zones and free times are left out.
 */
export const readIcs: StreamReader = async function* (file, _options, limits) {
  const toText = (text: string) => describedText(text, limits)
  const open: string[] = []
  let entry: IcsProperty[] | undefined
  let count = 0
  let isCalendar = false
  let length = 0
  let attached = 0
  for await (const line of unfold(textLines(file, limits.lineLength), limits.lineLength)) {
    const property = parseProperty(line)
    if (!property) continue
    const kind = property.value.trim().toUpperCase()
    if (property.name === 'BEGIN') {
      isCalendar ||= kind === 'VCALENDAR'
      if (open.length >= MAX_DEPTH)
        throw new SluiceError('file_over_limit', { file: file.name, reason: 'it is nested too deeply' })
      open.push(kind)
      if (ENTRIES[kind] !== undefined && !entry) [entry, length] = [[], 0]
    } else if (property.name === 'END') {
      const ended = open.pop()
      if (entry && ended !== undefined && ENTRIES[ended] !== undefined) {
        const document = await documentOf(entry, ended, ++count, toText)
        if (document) yield document
        entry = undefined
      }
    } else if (entry && ENTRIES[open.at(-1) ?? ''] !== undefined) {
      if (property.name === 'ATTACH') {
        // another address is not a file in the file
        if (property.parameters.get('ENCODING')?.toUpperCase() === 'BASE64') attached++
        continue
      }
      length += line.length
      if (length > limits.lineLength)
        throw new SluiceError('file_over_limit', { file: file.name, reason: 'an event does not end' })
      entry.push(property)
    }
  }
  if (!isCalendar)
    throw new SluiceError('file_unreadable', { file: file.name, reason: 'it is not a calendar' })
  if (entry) {
    const document = await documentOf(entry, 'VEVENT', ++count, toText)
    if (document) yield document
    yield { note: 'the file ends in the middle of an event' }
  }
  if (attached > 0) yield { dropped: { kind: 'attachment', count: attached } }
}

/** Real files nest three deep: a calendar, an event, an alarm. */
const MAX_DEPTH = 100

/** The components that become documents, and what they are called where they have no title. */
const ENTRIES: Readonly<Record<string, string | undefined>> = {
  VEVENT: 'Event',
  VTODO: 'Task',
  VJOURNAL: 'Journal entry',
}

async function documentOf(
  properties: readonly IcsProperty[],
  kind: string,
  event: number,
  toText: (text: string) => Promise<string>,
): Promise<DocumentPart | undefined> {
  const all = (name: string) => properties.filter((property) => property.name === name)
  const text = (name: string) => unescapeText(all(name)[0]?.value ?? '').trim()
  const [start, end, due] = ['DTSTART', 'DTEND', 'DUE'].map((name) => {
    const property = all(name)[0]
    return property && calendarTime(property)
  })
  const [summary, location] = [oneLine(text('SUMMARY')), oneLine(text('LOCATION'))]
  const list = (name: string) => all(name).map((property) => oneLine(unescapeText(property.value)))
  const zone = start?.zone ? ` (${start.zone})` : ''
  const described = ['DESCRIPTION', 'COMMENT'].flatMap(all)
  // Outlook writes the text once more with its look, and sometimes only so.
  const isSaid = described.some(({ value }) => value.trim() !== '')
  const descriptions = isSaid ? described : all('X-ALT-DESC')
  const texts: string[] = []
  for (const { value } of descriptions) texts.push((await toText(unescapeText(value))).trim())
  const lines = [
    kind === 'VTODO' ? `Task: ${summary}` : summary || ENTRIES[kind]!,
    ...(start ? [`When: ${start.text}${end ? ` to ${end.text}` : ''}${zone}`] : []),
    ...(text('DURATION') === '' ? [] : [`Duration: ${text('DURATION')}`]),
    ...(due ? [`Due: ${due.text}`] : []),
    ...(location === '' ? [] : [`Where: ${location}`]),
    ...all('RRULE').map(({ value }) => `Repeats: ${repetition(value)}`),
    ...all('ORGANIZER').map((property) => `Organizer: ${person(property)}`),
    ...(all('ATTENDEE').length === 0 ? [] : [`Attendees: ${all('ATTENDEE').map(person).join(', ')}`]),
    ...(all('CATEGORIES').length === 0 ? [] : [`Categories: ${list('CATEGORIES').join(', ')}`]),
    ...(/^(CANCELLED|COMPLETED|TENTATIVE)$/.test(text('STATUS'))
      ? [`Status: ${text('STATUS').toLowerCase()}`]
      : []),
    ...(text('URL') === '' ? [] : [`Link: ${text('URL')}`]),
    ...texts.map((text) => `\n${text}`),
  ]
  if (properties.length === 0) return undefined
  const metadata: Metadata = { event }
  const facts = { summary, start: start?.text, end: end?.text, due: due?.text, location, uid: text('UID') }
  for (const [key, value] of Object.entries(facts)) if (value) metadata[key] = value.slice(0, LONGEST_FACT)
  return { pageContent: lines.join('\n'), metadata, last: true }
}

/** In characters of metadata; the text has all of it. */
const LONGEST_FACT = 500
