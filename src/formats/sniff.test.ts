import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeZip } from '../../test/support/zip-writer.ts'
import { SluiceError } from '../kit/errors.ts'
import { fileTypeOf, sniff } from './sniff.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const PDF = bytes('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')
const ZIP = bytes('PK\x03\x04\x14\0\0\0')
const CFB = bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0')
const PNG = bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')

test('sniff() distinguishes the kinds of content', () => {
  assert.equal(sniff(PDF), 'pdf')
  assert.equal(sniff(Buffer.concat([Buffer.alloc(200, 1), PDF])), 'pdf')
  assert.equal(sniff(ZIP), 'zip')
  assert.equal(sniff(CFB), 'cfb')
  assert.equal(sniff(PNG), 'binary')
  assert.equal(sniff(bytes('')), 'text')
  assert.equal(sniff(bytes('plain words')), 'text')
  assert.equal(sniff(bytes('A file begins with %PDF-1.4, says the standard.')), 'text')
  assert.equal(sniff(bytes('\x1b[31mred\x1b[0m and plain')), 'text')
})

test('sniff() recognises UTF-16 and UTF-32 as text', () => {
  assert.equal(sniff(Buffer.from('\ufeffwide words', 'utf16le')), 'text')
  assert.equal(sniff(Buffer.from('wide words without a mark', 'utf16le')), 'text')
  assert.equal(sniff(bytes('\xff\xfe\0\0w\0\0\0')), 'text')
})

test('fileTypeOf() goes by the ending if the content agrees', () => {
  const cases: [string, Uint8Array, string | undefined][] = [
    ['a.PDF', PDF, 'pdf'],
    ['leading-line.pdf', bytes('sent by mail\n%PDF-1.4\n'), 'pdf'],
    ['a.docx', ZIP, 'docx'],
    ['a.pptx', ZIP, 'pptx'],
    ['a.xlsm', ZIP, 'xlsx'],
    ['a.tsv', bytes('x\ty\n'), 'csv'],
    ['a.json', bytes('{}'), 'json'],
    ['a.ndjson', bytes('{}\n'), 'jsonl'],
    ['a.htm', bytes('<p>'), 'html'],
    ['a.md', bytes('# x'), 'text'],
    ['main.rs', bytes('fn main() {}'), 'text'],
    ['Makefile', bytes('all:\n'), 'text'],
    ['a.png', PNG, undefined],
    ['a.zip', ZIP, undefined],
    ['x.bin', bytes('\xff\xd8\xff and more'), undefined],
    ['noise', bytes('\x8a\x01\xf3\x02 \xe9'), undefined],
    ['a.eml', bytes('x'), 'eml'],
    ['a.mbox', bytes('x'), 'mbox'],
    ['a.msg', CFB, 'msg'],
    ['a.ipynb', bytes('{}'), 'ipynb'],
    ['1668.M20P21.host:2,S', bytes('From: a@b\r\nTo: c@d\r\nSubject: x\r\n\r\nx'), 'eml'],
    ['Inbox', bytes('From - Tue Nov  3 08:15:00 2026\nSubject: x\n'), 'mbox'],
    ['letter', bytes('From: Ann\nTo: Bob\n\nDate: today\n'), 'text'],
    ['prose', bytes('From 1850 on it was known.\n'), 'text'],
    ['mail.txt', bytes('From: a@b\r\nTo: c@d\r\nSubject: x\r\n\r\nx'), 'text'],
    ['a.doc', CFB, 'doc'],
    ['a.xls', CFB, 'xls'],
    ['a.ppt', CFB, undefined],
    ['a.rtf', bytes('{\\rtf1 x}'), 'rtf'],
    ['a.vtt', bytes('WEBVTT\n'), 'subtitles'],
    ['a.ics', bytes('BEGIN:VCALENDAR\n'), 'ics'],
  ]
  for (const [name, head, type] of cases) assert.equal(fileTypeOf(name, head), type, name)
})

test('fileTypeOf() goes by content that names its own type [formats:misnamed]', () => {
  const named = (mimeType: string) => writeZip({ mimetype: mimeType, 'content.xml': '' }, { stored: true })
  const open = (kind: string) => named(`application/vnd.oasis.opendocument.${kind}`)
  const cases: [string, Uint8Array, string | undefined][] = [
    ['a.odt', open('text'), 'odt'],
    ['a.ott', open('text-template'), 'odt'],
    ['a.odt', open('spreadsheet'), 'ods'],
    ['a.docx', open('text'), 'odt'],
    ['a.odg', open('graphics'), 'odp'],
    ['a.unknown', open('presentation'), 'odp'],
    ['a.unknown', named('application/epub+zip'), 'epub'],
    ['a.unknown', named('application/x-krita'), undefined],
    ['a.odt', writeZip({ 'content.xml': '' }), 'odt'],
    ['a.unknown', bytes('{\\rtf1 x}'), 'rtf'],
    ['a.txt', bytes('{\\rtf1 x}'), 'text'],
  ]
  for (const [name, head, type] of cases) assert.equal(fileTypeOf(name, head), type, name)
})

test('fileTypeOf() reads what programs call .doc and .xls as what it is [formats:misnamed]', () => {
  const word = Buffer.concat([CFB, Buffer.alloc(600), Buffer.from('WordDocument', 'utf16le')])
  const cases: [string, Uint8Array, string][] = [
    ['a.doc', bytes('{\\rtf1 x}'), 'rtf'],
    ['a.doc', bytes('\n<html><body>x'), 'html'],
    ['a.doc', ZIP, 'docx'],
    ['a.xls', ZIP, 'xlsx'],
    ['a.xls', bytes('<table><tr><td>x'), 'html'],
    ['a.xls', bytes('a\tb\n1\t2\n'), 'csv'],
    ['a.docx', word, 'doc'],
  ]
  for (const [name, head, type] of cases) assert.equal(fileTypeOf(name, head), type, name)
  assert.throws(() => fileTypeOf('a.doc', bytes('words')), /its content is text, not a Word 97-2003 document/)
})

test('fileTypeOf() refuses content that does not match the ending, and names it', () => {
  const cases: [string, Uint8Array, RegExp][] = [
    ['a.pdf', PNG, /a\.pdf cannot be read: its content is a PNG picture, not a PDF/],
    ['a.pdf', bytes(''), /it is empty, not a PDF/],
    ['a.docx', PDF, /its content is a PDF, not a Word document/],
    ['a.txt', ZIP, /a ZIP archive or an Office file, not text/],
    ['a.txt', PNG, /its content is a PNG picture, not text/],
    ['a.txt', bytes('\x1f\x8b\x08 short'), /its content is gzip data, not text/],
    [
      'old.xls',
      bytes('\x09\x04\x06\0\0\0\x10\0\0\0'),
      /its content is a workbook of Excel 4, which must be saved as .xlsx first, not/,
    ],
    ['a.csv', bytes('\0\x01\x02\x03'.repeat(9)), /binary data, not a table/],
  ]
  for (const [name, head, message] of cases) {
    assert.throws(() => fileTypeOf(name, head), { code: 'file_unreadable', message }, name)
  }
})

test('fileTypeOf() recognises an Office file with a password by its container', () => {
  assert.throws(
    () => fileTypeOf('budget.xlsx', CFB),
    (error: unknown) => error instanceof SluiceError && error.code === 'file_encrypted',
  )
})
