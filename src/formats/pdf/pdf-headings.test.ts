import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canBeHeading } from './pdf-headings.ts'

test('canBeHeading() accepts titles, numbered and long ones, questions and names', () => {
  for (const text of [
    'Safety Manual',
    '1.2. What is this spec?',
    'Chapter 1. Securing and protecting IBM DB2 data',
    'Appendix A. Numbers to call',
    '4.5. /usr/include : Directory for standard include files.',
    'The history of Dr. Smith and the U.S. Navy',
    'Methods.',
    'Sonderfall: Uploads in die Distributionen Stable und Oldstable',
    '第一章',
  ])
    assert.ok(canBeHeading(text), text)
})

test('canBeHeading() refuses sentences, paragraphs, list items, lines of contents and formulas [formats:pdf-headings]', () => {
  for (const text of [
    'This manual was originally prepared by Dick Crawford.',
    'Sample text is hard. That’s where other texts come in handy',
    'the plot of concentration over the degree of coverage,',
    `${'word '.repeat(31)}end`,
    '• With foo',
    '– KI-Technik senkt die Zahl der Fehlalarme',
    '1 Introduction . . . . . . . . . 7',
    '= ∼',
    '4.46% 4.65%',
    '–',
    'β',
  ])
    assert.ok(!canBeHeading(text), text)
})
