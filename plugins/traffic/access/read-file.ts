import { isServiceFault } from 'renown'
import type { SafeAnswer, SafeFetch } from 'renown/sources'

/** A public file of a site. `absent` is what the server says, `unreadable` is anything that leaves it open. */
export type FileAnswer =
  | { readonly state: 'read'; readonly answer: SafeAnswer }
  | { readonly state: 'absent' }
  | { readonly state: 'unreadable'; readonly fault: string }

const timeoutMs = 8_000
/** RFC 9309 asks robots to follow at least five redirects. */
const redirectsMax = 5

interface Wanted {
  readonly maxBytes: number
  readonly accept: string
}

/** Fetches a file. A refusal such as 401 or 403 says nothing about what others get, so it leaves the answer open. */
export async function readFile(safeFetch: SafeFetch, url: string, wanted: Wanted): Promise<FileAnswer> {
  try {
    const answer = await safeFetch(url, { ...wanted, timeoutMs, redirects: redirectsMax, plainHttp: true })
    return judged(answer)
  } catch (error) {
    if (!isServiceFault(error)) throw error
    return { state: 'unreadable', fault: error.message }
  }
}

function judged(answer: SafeAnswer): FileAnswer {
  const { status } = answer
  if (status >= 200 && status < 300) return { state: 'read', answer }
  if (status === 401 || status === 403)
    return {
      state: 'unreadable',
      fault: `The server answers ${status} to Renown. Crawlers may get the same.`,
    }
  if (status >= 400 && status < 500 && status !== 429 && status !== 408) return { state: 'absent' }
  return { state: 'unreadable', fault: `The server answers ${status}.` }
}

/** Whether an answer is an HTML page, as sites send it for files that do not exist. */
export const isHtml = ({ headers, body }: SafeAnswer): boolean =>
  /html/i.test(headers.get('content-type') ?? '') ||
  /^\s*<(!doctype html|html)/i.test(new TextDecoder().decode(body.subarray(0, 500)))
