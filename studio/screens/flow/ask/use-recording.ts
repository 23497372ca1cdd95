import { useCallback, useEffect, useRef, useState } from 'react'
import { complain } from '../../../parts/toast.tsx'
import {
  microphoneProblem,
  recordingEnd,
  recordingMissing,
  recordingName,
  recordingType,
} from './recording-rules.ts'

/** What the microphone does: nothing, waiting for the permission, or recording. `seconds`: so far. */
export type RecordingState = { state: 'idle' } | { state: 'asking' } | { state: 'recording'; seconds: number }

/** Speech needs no more; ten minutes have about 2.4 MB. */
const BITS_PER_SECOND = 32_000
/** How often the time is shown anew, in milliseconds. */
const TICK_MS = 250

/** A recording that goes on. */
type Running = { recorder: MediaRecorder; discard(): void }

/**
 * Records the microphone. What keeps it from that is told in a report.
 *
 * @param onRecorded gets the recording when it was stopped, by the person or by its limits
 */
export function useRecording(onRecorded: (file: File) => void) {
  const [now, setNow] = useState<RecordingState>({ state: 'idle' })
  const running = useRef<Running>(undefined)
  /** A permission that comes after the person has left begins nothing. */
  const attempt = useRef(0)
  const done = useRef(onRecorded)
  done.current = onRecorded

  const cancel = useCallback(() => {
    attempt.current += 1
    running.current?.discard()
    running.current = undefined
    setNow({ state: 'idle' })
  }, [])
  useEffect(() => cancel, [cancel])

  const start = useCallback(async () => {
    const type = recordingType((one) => globalThis.MediaRecorder?.isTypeSupported(one) ?? false)
    const missing = recordingMissing({
      isSecureContext: globalThis.isSecureContext,
      canRecord: type !== undefined,
    })
    if (missing !== undefined) return complain('Nothing can be recorded', missing)
    const own = ++attempt.current
    setNow({ state: 'asking' })
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      if (own !== attempt.current) return stopTracks(stream)
      running.current = record(stream, type!, {
        onTick: (seconds) => setNow({ state: 'recording', seconds }),
        onEnd(file) {
          running.current = undefined
          setNow({ state: 'idle' })
          if (file) done.current(file)
          else complain('Nothing was recorded', 'The microphone gave no sound.')
        },
      })
      setNow({ state: 'recording', seconds: 0 })
    } catch (error) {
      if (own !== attempt.current) return
      setNow({ state: 'idle' })
      complain('The microphone cannot be used', microphoneProblem(error))
    }
  }, [])

  return { now, start, stop: () => running.current?.recorder.stop(), cancel }
}

type Events = { onTick(seconds: number): void; onEnd(file: File | undefined): void }

function record(stream: MediaStream, type: string, { onTick, onEnd }: Events): Running {
  const recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: BITS_PER_SECOND })
  const startedAt = Date.now()
  const seconds = () => (Date.now() - startedAt) / 1000
  const pieces: Blob[] = []
  let bytes = 0
  const timer = setInterval(() => {
    onTick(seconds())
    const end = recordingEnd({ seconds: seconds(), bytes })
    if (end === undefined || recorder.state === 'inactive') return
    recorder.stop()
    complain('The recording has ended', end)
  }, TICK_MS)
  const release = () => {
    clearInterval(timer)
    stopTracks(stream)
  }
  recorder.addEventListener('dataavailable', ({ data }) => {
    pieces.push(data)
    bytes += data.size
  })
  // It also stops where the microphone goes away.
  const finish = () => {
    release()
    onEnd(bytes === 0 ? undefined : new File(pieces, recordingName(type, seconds()), { type }))
  }
  recorder.addEventListener('stop', finish)
  recorder.start(1000)
  return {
    recorder,
    discard() {
      recorder.removeEventListener('stop', finish)
      if (recorder.state !== 'inactive') recorder.stop()
      release()
    },
  }
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
