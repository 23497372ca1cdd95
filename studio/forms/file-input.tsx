import { FileText, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import { DropArea } from '../parts/drop-area.tsx'
import { sizeText } from '../parts/units.ts'
import { FormField } from './form-field.tsx'
import styles from './forms.module.css'
import type { InputProps } from './input-props.ts'
import {
  STORED_FILE_LIMIT,
  storedFileName,
  storedFileOf,
  storedFiles,
  storedFilesValue,
} from '../drawing/stored-file.ts'

/** Files that the flow itself holds. Files of an upsert need not stand here: they are given when it starts. */
export function FileInput({ id, input, value, onChange, refusal }: InputProps) {
  const files = storedFiles(value)
  const [problem, setProblem] = useState<string>()
  const add = async (added: File[]) => {
    const bytes = added.reduce((sum, { size }) => sum + size, 0)
    if (bytes > STORED_FILE_LIMIT)
      return setProblem(
        `${sizeText(bytes)} is too much to be kept in a flow (at most ${sizeText(STORED_FILE_LIMIT)}). Give large files to the upsert instead.`,
      )
    setProblem(undefined)
    onChange(storedFilesValue([...files, ...(await Promise.all(added.map(readStoredFile)))]))
  }
  return (
    <FormField id={id} label={input.label} about={input.description} problem={problem ?? refusal?.message}>
      {files.map((file, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name
        <div key={at} className={styles.item}>
          <FileText aria-hidden="true" size={16} />
          <span className={styles.itemName}>{storedFileName(file)}</span>
          <Button
            look="quiet"
            square
            aria-label={`Remove ${storedFileName(file)}`}
            onClick={() => onChange(storedFilesValue(files.filter((_, index) => index !== at)))}
          >
            <Trash2 />
          </Button>
        </div>
      ))}
      <DropArea
        id={id}
        label="Keep a file in the flow"
        about={
          input.fileType === undefined || input.fileType === '*' ? 'any file' : shortened(input.fileType)
        }
        multiple
        onFiles={(added) => void add(added.map(({ file }) => file))}
      />
    </FormField>
  )
}

const shortened = (types: string): string => {
  const list = types.split(',').map((type) => type.trim())
  return list.length > 8 ? `${list.slice(0, 8).join(', ')} and ${list.length - 8} more` : list.join(', ')
}

function readStoredFile(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.addEventListener('load', () => resolve(storedFileOf(String(reader.result), file.name)))
  reader.addEventListener('error', () => reject(reader.error))
  reader.readAsDataURL(file)
  return promise
}
