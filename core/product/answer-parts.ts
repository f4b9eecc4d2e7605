/** The content type of an answer in parts: one JSON object per line. */
export const partsType = 'application/x-ndjson'

/** One part of an answer on the command socket. The last one is the answer itself. */
export type AnswerPart =
  /** The command goes on. `doing` says what it does. */
  | { readonly working: { readonly doing: string | null } }
  /** A text for the person, on standard output or standard error. */
  | { readonly out: string }
  | { readonly err: string }
  | { readonly status: number; readonly body: unknown }

/** How long an answer may take before the first part says that the command goes on, and then between two parts. */
const everyMs = 300

/**
 * Answers in parts, so that a slow command keeps its connection, which ends when nothing comes for ten seconds. An answer that comes
 * within 300 ms and tells nothing before is sent as it is.
 */
export async function inParts(
  run: (tell: (told: AnswerPart) => void) => Promise<Response>,
  doing: () => string | undefined,
): Promise<Response> {
  const waiting: AnswerPart[] = []
  let wake = Promise.withResolvers<void>()
  const tell = (told: AnswerPart) => {
    waiting.push(told)
    wake.resolve()
  }
  const answered = run(tell)
  const first = await Promise.race([answered, Bun.sleep(everyMs), wake.promise])
  if (first instanceof Response && waiting.length === 0) return first
  answered.then(async (response) => tell({ status: response.status, body: await response.json() }))
  const encoder = new TextEncoder()
  const parts = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (waiting.length === 0) await Promise.race([wake.promise, Bun.sleep(everyMs)])
      wake = Promise.withResolvers()
      const told = waiting.splice(0)
      const list: AnswerPart[] = told.length > 0 ? told : [{ working: { doing: doing() ?? null } }]
      controller.enqueue(encoder.encode(list.map((one) => `${JSON.stringify(one)}\n`).join('')))
      if (list.some((one) => 'status' in one)) controller.close()
    },
  })
  return new Response(parts, { headers: { 'content-type': partsType } })
}
