/** A file with its path in the folder that was dropped or chosen; of a single file its name. */
export type ChosenFile = { file: File; path: string }

export const pickedFiles = (files: FileList | null): ChosenFile[] =>
  [...(files ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }))

/** The files that were dropped; folders are read with all that is in them. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<ChosenFile[]> {
  // The entries are gone after the first await.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return pickedFiles(files)
  return (await Promise.all(entries.map(filesOf))).flat()
}

async function filesOf(entry: FileSystemEntry): Promise<ChosenFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    )
    return [{ file, path: entry.fullPath.replace(/^\//, '') }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: FileSystemEntry[] = []
  // A folder is read in portions; an empty one is the end.
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (portion.length === 0) break
    found.push(...portion)
  }
  return (await Promise.all(found.filter(({ name }) => !name.startsWith('.')).map(filesOf))).flat()
}
