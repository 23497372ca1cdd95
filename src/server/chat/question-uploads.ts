import type { SentUpload } from '../../api/prediction.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import type { UploadedFile } from '../../contract/loader.ts'
import type { Config } from '../../kit/config.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject } from '../../kit/json.ts'
import { ownerOfJobs } from '../caller.ts'
import type { Platform } from '../platform.ts'
import { resultUnlessStalled } from '../job-answer.ts'
import { chatbotConfigOf } from '../stored-flow.ts'
import { flowSource } from '../../flow/find-flow.ts'
import { shelveFiles, type UploadLimits } from '../uploads.ts'
import { takeConversation, conversationCaller } from './own-conversation.ts'
import { type ChatCaller, MANAGER, sessionOwner } from './turn.ts'
import { isRecording, spokenWords } from './speech.ts'
import {
  textOfFile,
  withLinkedPictures,
  type LoadableFile,
  readFormFiles,
  readUploads,
  type QuestionUploads,
} from './uploads.ts'

/** The uploads of a question as the client sent them. */
export type QuestionUploadRequest = {
  uploads: readonly SentUpload[]
  /** The files of a form. */
  files: readonly UploadedFile[]
  /** The conversation that files for the store belong to. */
  chatId: string
  /** The session of the question; by default the conversation. */
  sessionId?: string | undefined
  caller: ChatCaller
  /** Whether the caller may load documents into the flow. */
  mayLoad: boolean
  /** Counts bytes of files that are loaded or read. @throws SluiceError `quota_exceeded` */
  spend(quota: 'bytes', amount: number): Promise<void>
}

/** The limits for the files of one question. */
export const attachmentLimits = (config: Config): Omit<UploadLimits, 'shortage'> => ({
  megabytes: Math.min(50, config.MAX_UPLOAD_MB),
  files: Math.min(20, config.MAX_FILES),
})

/** Whether a flow accepts files with a question, whose text the model gets. */
export function acceptsAttachments(flow: FlowRow): boolean {
  const { fullFileUpload } = chatbotConfigOf(flow)
  return isObject(fullFileUpload) && fullFileUpload.status === true
}

export function createQuestionUploads(platform: Platform) {
  const { nodeServices, jobs, messages, upserts, uploadDirectory } = platform
  /** Loads files into the store of the flow and waits until queries can find them. */
  async function load(
    flow: FlowRow,
    files: readonly LoadableFile[],
    { chatId, caller: { name, fence } }: QuestionUploadRequest,
  ): Promise<void> {
    const upload = await shelveFiles(uploadDirectory, files)
    let submitted = false
    try {
      const { plan: _, ...prepared } = upserts.prepare(flowSource(flow), {
        overrides: {},
        uploads: upload.files,
        ...{ chatId, fence, sender: conversationCaller(flow, { name, fence }) },
      })
      await takeConversation({ messages }, flow, { name, fence }, chatId)
      const shelved = { folder: upload.folder, files: upload.files.map(({ path: _, ...file }) => file) }
      const { job } = await jobs.submit({
        ...prepared,
        kind: 'upsert',
        flowId: flow.id,
        owner: ownerOfJobs(name, flow),
        uploads: shelved,
      })
      submitted = true
      await resultUnlessStalled(platform, job)
    } finally {
      if (!submitted) await upload.remove()
    }
  }

  return {
    /**
     * Reads the uploads of a question and loads those for the store. `spoken`: the words of its recordings.
     *
     * @throws SluiceError `upload_refused`, `attachments_disabled`, `session_taken`, and as reading and loading files and writing
     * speech down do
     */
    async read(
      flow: FlowRow,
      request: QuestionUploadRequest,
      signal: AbortSignal,
    ): Promise<QuestionUploads & { spoken: string }> {
      const recordings = request.uploads.filter(isRecording)
      const others = request.uploads.filter((upload) => !isRecording(upload))
      const sent = readUploads(await withLinkedPictures(others, nodeServices.egress, signal))
      const ofForm = await readFormFiles(request.files, (file) => {
        if (!acceptsAttachments(flow)) throw new SluiceError('attachments_disabled', { file: file.name })
        return textOfFile(file, nodeServices.parser, signal)
      })
      const [first] = sent.toLoad
      // Base64 has four characters for three bytes.
      const recorded = recordings.reduce(
        (sum, { data }) => sum + Math.floor(((data ?? '').length * 3) / 4),
        0,
      )
      const loaded = sent.toLoad.reduce((sum, { bytes }) => sum + bytes.length, 0)
      await request.spend(
        'bytes',
        request.files.reduce((sum, { size }) => sum + size, loaded + recorded),
      )
      if (first && !request.mayLoad)
        throw new SluiceError('upload_refused', {
          file: first.name,
          reason: 'the caller may not load documents into this flow',
        })
      if (first && request.caller.name !== MANAGER.name) {
        const { chatId, sessionId = chatId } = request
        await messages.requireOwner(
          { flowId: flow.id, chatId, sessionId },
          sessionOwner(flow, request.caller),
          request.caller.fence !== undefined,
        )
      }
      if (first) await load(flow, sent.toLoad, request)
      return {
        spoken: await spokenWords(flow, recordings, platform, signal),
        forModel: [...sent.forModel, ...ofForm.forModel],
        pictures: [...sent.pictures, ...ofForm.pictures],
        toLoad: [],
      }
    },
  }
}
