import { Upload } from 'lucide-react'
import { type DragEvent, type RefObject, useRef, useState } from 'react'
import { type ChosenFile, droppedFiles, pickedFiles } from './chosen-files.ts'
import styles from './drop-area.module.css'

type DropAreaProps = {
  id?: string
  label: string
  about?: string
  accept?: string
  multiple?: boolean
  /** The button that opens the file picker. */
  button?: RefObject<HTMLButtonElement | null> | undefined
  onFiles(files: ChosenFile[]): void
}

/** A place to drop files on; it is a button that opens the file picker too. */
export function DropArea({ id, label, about, accept, multiple = false, button, onFiles }: DropAreaProps) {
  const picker = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void droppedFiles(event.dataTransfer).then((files) => {
      if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1))
    })
  }
  return (
    <>
      <button
        ref={button}
        id={id}
        type="button"
        className={styles.area}
        data-over={over}
        onClick={() => picker.current?.click()}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Upload aria-hidden="true" />
        <span>{label}</span>
        {about === undefined ? null : <span className={styles.about}>{about}</span>}
      </button>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={label}
        multiple={multiple}
        {...(accept === undefined ? {} : { accept })}
        onChange={(event) => {
          const files = pickedFiles(event.target.files)
          event.target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </>
  )
}
