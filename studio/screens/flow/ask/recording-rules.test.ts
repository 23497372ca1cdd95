import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  clockText,
  microphoneProblem,
  RECORDING_LIMITS,
  recordingEnd,
  recordingMissing,
  recordingName,
  recordingType,
} from './recording-rules.ts'

test('recordingEnd() says why a recording ends by itself: its length, or its size', () => {
  const { seconds, bytes } = RECORDING_LIMITS
  assert.equal(recordingEnd({ seconds: seconds - 1, bytes: 1000 }), undefined)
  assert.match(recordingEnd({ seconds, bytes: 1000 })!, /last 10 minutes/)
  assert.match(recordingEnd({ seconds: 3, bytes: bytes - 1 })!, /have 25 MB/)
})

test('recordingType() takes the first type that the browser records', () => {
  assert.equal(
    recordingType(() => true),
    'audio/webm;codecs=opus',
  )
  assert.equal(
    recordingType((type) => type === 'audio/mp4'),
    'audio/mp4',
  )
  assert.equal(
    recordingType(() => false),
    undefined,
  )
})

test('recordingName() has the length and the ending of the type', () => {
  assert.equal(recordingName('audio/webm;codecs=opus', 7.4), 'recording 7 s.webm')
  assert.equal(recordingName('audio/mp4', 0.2), 'recording 1 s.mp4')
})

test('clockText() has minutes and seconds', () => {
  assert.deepEqual([0, 7.9, 65, 600].map(clockText), ['0:00', '0:07', '1:05', '10:00'])
})

test('microphoneProblem() tells a refusal, a missing and a busy microphone apart', () => {
  const says = (name: string) => microphoneProblem(new DOMException('x', name))
  assert.match(says('NotAllowedError'), /does not let this page/)
  assert.match(says('NotFoundError'), /no microphone/)
  assert.match(says('NotReadableError'), /Another program/)
  assert.match(microphoneProblem(new Error('x')), /does not work here/)
})

test('recordingMissing() names what a page lacks', () => {
  assert.match(recordingMissing({ isSecureContext: false, canRecord: true })!, /https/)
  assert.match(recordingMissing({ isSecureContext: true, canRecord: false })!, /cannot record/)
  assert.equal(recordingMissing({ isSecureContext: true, canRecord: true }), undefined)
})
