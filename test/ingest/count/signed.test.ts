import { describe, expect, test } from 'bun:test'
import type { SafeFetch } from 'renown/contracts'
import { browser, record, startedAt, withIngest } from '../support/ingest'
import { readJournal } from '../support/journal'
import { createSigner, type Signing, signedHeaders } from '../support/signing'

const signer = createSigner()
const stranger = createSigner()
const safeFetch: SafeFetch = async (url) => ({
  status: 200,
  headers: new Headers({ 'content-type': 'application/http-message-signatures-directory+json' }),
  body: new TextEncoder().encode(JSON.stringify({ keys: [signer.jwk] })),
  url,
})
const created = startedAt / 1_000 - 5
const fields = (more: Partial<Signing> = {}, by = signer) => {
  const { agent, input, signature } = signedHeaders(by, { created, ...more })
  return { signature_agent: agent, signature_input: input, signature }
}
const outside = { ip: '198.51.100.7', host: 'example.com' }

describe('hits of signed crawlers', () => {
  test('count as verified by signature, by both, or as spoofed, and keep their signer', () =>
    withIngest(
      async ({ send, ingest, directory }) => {
        const lines = [
          record({ ...outside, ua: browser, ...fields() }),
          record({ host: 'example.com', ...fields({ created: created - 1 }) }),
          record({ ...outside, ...fields({ created: created - 2 }), host: 'www.example.com' }),
          record({ ...outside, ua: browser, ...fields({}, stranger) }),
          record({ ...outside, ua: browser }),
        ]
        const answer = await send('/v1/hits', JSON.stringify(lines))
        expect(answer.body).toMatchObject({ accepted: 4, ignored: 1 })
        await ingest.stop()
        const { hits } = await readJournal(directory)
        expect(
          hits.map(({ agent, verdict, signer: by, verified_by }) => [agent, verdict, by, verified_by]),
        ).toEqual([
          ['ChatGPT Agent', 'verified', 'chatgpt.com', 'signature'],
          ['GPTBot', 'verified', 'chatgpt.com', 'both'],
          ['GPTBot', 'spoofed', 'chatgpt.com', undefined],
          ['ChatGPT Agent', 'unchecked', undefined, undefined],
        ])
      },
      { safeFetch },
    ))
})
