import { createPublicKey } from 'node:crypto'
import { classify } from '../../ingest/judge/classify'
import { createSignatures } from '../../ingest/judge/signatures'
import { readBody } from '../../ingest/parse/formats'
import { createSigner, signedHeaders, type TestSigner } from '../ingest/support/signing'

const rounds = 9
const lines = 20_000
const signed = 2_000
const at = 1_795_192_972
const ua =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'

/** Signatures checked a second of processor time, and what three empty fields cost in each line of a log. */
export function run(): void {
  for (const type of ['ed25519', 'rsa'] as const) {
    const signer = createSigner(type)
    const requests = Array.from({ length: signed }, (_, place) => requestOf(signer, place))
    const first = best(() => judgeAll(signer, requests))
    const judge = judgeOf(signer)
    judgeAll(signer, requests, judge)
    const again = best(() => judgeAll(signer, requests, judge))
    const rate = (micros: number) => Math.round(1_000_000 / (micros / signed)).toLocaleString('en')
    console.log(`${type}: ${rate(first)} new signatures a second, ${rate(again)} that came before`)
  }
  const plain = textOf('')
  const empty = textOf(',"signature_agent":"","signature_input":"","signature":""')
  const ratios = Array.from({ length: rounds }, () => cpu(() => read(empty)) / cpu(() => read(plain))).sort()
  console.log(`a JSON line with three empty fields costs ${ratios[rounds >> 1]?.toFixed(2)} of one without`)
}

const requestOf = (signer: TestSigner, place: number) =>
  signedHeaders(signer, { created: at - (place % 200), params: `;nonce="${place}"` })

function judgeOf(signer: TestSigner) {
  const object = createPublicKey({ key: signer.jwk, format: 'jwk' })
  const key = { object, algorithm: signer.alg, from: 0, until: Number.POSITIVE_INFINITY }
  const now = () => new Date(at * 1_000)
  return createSignatures({ keyring: { find: () => key }, now, checksPerSecond: signed * 2 })
}

function judgeAll(
  signer: TestSigner,
  requests: readonly ReturnType<typeof requestOf>[],
  judge = judgeOf(signer),
) {
  const gptbot = classify('GPTBot')
  const request = { ts: at * 1_000, method: 'GET', target: '/', host: 'example.com', ua, referer: undefined }
  let verified = 0
  for (const headers of requests) {
    const claims = judge.claims(headers)
    if (!claims || !gptbot) throw new Error('the signatures cannot be read')
    const { verdict } = judge.verdict(
      claims,
      gptbot,
      request,
      { site_id: 's', domain: 'example.com' },
      'unchecked',
    )
    if (verdict === 'verified') verified++
  }
  if (verified !== requests.length) throw new Error(`${verified} of ${requests.length} are verified`)
}

const textOf = (more: string) =>
  Array.from(
    { length: lines },
    (_, place) =>
      `{"ts":${at},"ip":"20.171.1.${place % 250}","method":"GET","url":"/${place % 500}","host":"example.com","status":"200","ua":"${ua}"${more}}\n`,
  ).join('')

function read(text: string) {
  const body = readBody(text, at * 1_000, 2 ** 16)
  while (body.next());
}

const best = (work: () => void) => Math.min(...Array.from({ length: rounds }, () => cpu(work)))

/** Microseconds of processor time. */
function cpu(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
