import type { SafeFetch } from 'renown/sources'
import { isHtml, readFile } from './read-file'

/** What a check of llms.txt found. */
export interface LlmsReading {
  readonly state: 'valid' | 'invalid' | 'absent' | 'unreadable'
  readonly fault?: string
}

const bytesMax = 1024 * 1024

/** Fetches llms.txt and checks its form: Markdown with a title of the first level, and links. */
export async function readLlms(safeFetch: SafeFetch, url: string): Promise<LlmsReading> {
  const file = await readFile(safeFetch, url, {
    maxBytes: bytesMax,
    accept: 'text/plain, text/markdown, */*',
  })
  if (file.state === 'absent') return { state: 'absent' }
  if (file.state === 'unreadable') return file
  // Many sites answer an unknown address with their start page.
  if (isHtml(file.answer)) return { state: 'absent' }
  const fault = faultOf(new TextDecoder().decode(file.answer.body))
  return fault === null ? { state: 'valid' } : { state: 'invalid', fault }
}

/** Returns what is wrong with the text of an llms.txt, or null. */
export function faultOf(text: string): string | null {
  const first = text.split(/\r\n|\r|\n/).find((line) => line.trim() !== '')
  if (first === undefined) return 'It is empty.'
  if (!/^#[ \t]+\S/.test(first)) return 'It does not start with a title such as “# Harbour Bakehouse”.'
  return text.includes('](') ? null : 'It has no links.'
}
