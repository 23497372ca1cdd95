import type { JobFile, JobFilePage } from '../contract/job.ts'

/** A page of files, as the store gives it. */
export function pageOfFiles(files: readonly JobFile[], { state, search, offset, limit }: JobFilePage) {
  const sought = search?.toLowerCase()
  const rows = files.filter(
    (file) =>
      (state === undefined || file.state === state) &&
      (sought === undefined || file.name.toLowerCase().includes(sought)),
  )
  return { rows: rows.slice(offset, offset + limit), total: rows.length }
}
