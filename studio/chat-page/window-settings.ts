import type { ChatWindow } from '../server/chat.ts'

/** The texts and switches of a chat window, as its owner configured them. */
export type WindowSettings = {
  title: string
  welcome: string
  /** Shown in place of an answer that failed; undefined where the failure itself is shown. */
  errorMessage: string | undefined
  footer: string
  feedback: boolean
}

export function windowSettings(settings: ChatWindow | undefined): WindowSettings {
  const { title, welcomeMessage, errorMessage, chatFeedback, footer } = settings ?? {}
  return {
    title: textOf(title) || 'Chat',
    welcome: textOf(welcomeMessage) || 'What would you like to know?',
    errorMessage: textOf(errorMessage) || undefined,
    footer: textOf(footer) || textOf(memberOf(footer, 'text')),
    feedback: memberOf(chatFeedback, 'status') === true,
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
