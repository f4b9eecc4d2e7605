interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly response_format?: { readonly json_schema?: { readonly name: string; readonly schema: object } }
}

export interface LanguageModelStandIn {
  /** What it answers next: an object as the model's JSON, a text as it is, or a status. */
  readonly answers: (object | string | number)[]
  readonly asked: Asked[]
  fetch(request: Request): Promise<Response>
}

/** A service that speaks OpenAI's chat completions. */
export function createLanguageModel(): LanguageModelStandIn {
  const standIn: LanguageModelStandIn = {
    answers: [],
    asked: [],
    async fetch(request) {
      if (new URL(request.url).pathname !== '/v1/chat/completions') return new Response(null, { status: 404 })
      standIn.asked.push((await request.json()) as Asked)
      const answer = standIn.answers.shift() ?? 500
      if (typeof answer === 'number') {
        return Response.json({ error: { message: `The stand-in says ${answer}` } }, { status: answer })
      }
      const content = typeof answer === 'string' ? answer : JSON.stringify(answer)
      return Response.json({
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
        usage: { prompt_tokens: 10, completion_tokens: 10 },
      })
    },
  }
  return standIn
}
