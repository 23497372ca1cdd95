import { FolderOpen } from 'lucide-react'
import { type DragEvent, useRef } from 'react'
import { messageOf } from '../server/call.ts'
import type { Run } from '../server/runs.ts'
import { Button } from './button.tsx'
import { readRunFile } from './run-file.ts'
import { complain } from './toast.tsx'

async function readFile(file: File | undefined, onRun: (run: Run) => void): Promise<void> {
  if (!file) return
  try {
    onRun(readRunFile(await file.text(), file.name))
  } catch (failure) {
    complain('The file was not opened', messageOf(failure))
  }
}

/** A button that opens the file of a shared run. */
export function RunFilePicker({ onRun }: { onRun(run: Run): void }) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button look="quiet" onClick={() => picker.current?.click()}>
        <FolderOpen aria-hidden="true" /> Open a file
      </Button>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label="Open the record of a run"
        accept=".json,application/json"
        onChange={({ target }) => {
          void readFile(target.files?.[0], onRun)
          target.value = ''
        }}
      />
    </>
  )
}

/** Makes an element open the file of a shared run that is dropped on it. */
export const dropOfRun = (onRun: (run: Run) => void) => ({
  onDragOver(event: DragEvent) {
    if (event.dataTransfer.types.includes('Files')) event.preventDefault()
  },
  onDrop(event: DragEvent) {
    event.preventDefault()
    void readFile(event.dataTransfer.files[0], onRun)
  },
})
