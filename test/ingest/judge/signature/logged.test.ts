import { expect, test } from 'bun:test'
import { createPublicKey } from 'node:crypto'
import fc from 'fast-check'
import { readClaims } from '../../../../ingest/judge/signature/claim'
import { createSignatureJudge } from '../../../../ingest/judge/signature/judge-signature'
import { testWith } from '../../../support/needs'
import { startWebServer } from '../../../support/nginx'
import { fits } from '../../../support/rfc9421'
import { waitFor } from '../../../support/wait-for'
import { readLines } from '../../support/read-hits'
import { createSigner, signedHeaders } from '../../support/signing'

const site = { site_id: 'site_1', domain: 'shop.example' }
const signer = createSigner()
const key = {
  object: createPublicKey({ key: signer.jwk, format: 'jwk' }),
  algorithm: 'ed25519',
  from: 0,
  until: Number.POSITIVE_INFINITY,
}
const judgeAt = (at: number) =>
  createSignatureJudge({ keyring: { find: () => key }, now: () => new Date(at), checksPerSecond: 100_000 })

testWith('nginx')('a signed request that nginx logged is verified from its log', async () => {
  const server = await startWebServer()
  try {
    const now = Date.now()
    const { agent, input, signature } = signedHeaders(signer, {
      created: Math.floor(now / 1_000),
      authority: 'shop.example',
    })
    const headers = { host: 'shop.example', 'signature-agent': agent, 'signature-input': input, signature }
    await fetch(`${server.url}/pricing?a=1`, { headers })
    const logged = async () => (await Bun.file(server.jsonLog).text()).split('\n')
    // The first line is of the check that nginx runs.
    const text = await waitFor(async () => (await logged()).find((line) => line.includes('/pricing')), {
      what: 'the line of the request',
    })
    const [read] = readLines(text, now)
    if (!read || !('hit' in read) || !read.hit.signed) throw new Error('the line has no signature')
    const { hit } = read
    const [claim] = readClaims(read.hit.signed) ?? []
    if (!claim) throw new Error('the signature names no signer')
    const request = { ...hit, host: hit.host, referer: hit.referer }
    expect(judgeAt(now).judge(claim, request, site)).toEqual({ result: 'verified', note: null })
    // A week later, the line says the same.
    expect(judgeAt(now + 7 * 86_400_000).judge(claim, request, site)).toEqual({
      result: 'verified',
      note: null,
    })
    const elsewhere = { ...request, host: 'other.example' }
    expect(judgeAt(now).judge(claim, elsewhere, site)).toEqual({ result: 'invalid' })
  } finally {
    await server.stop()
  }
})

test('two verifiers that share no code agree, whatever is signed, claimed or changed', async () => {
  const created = 1_790_000_000
  const hosts = fc.constantFrom('shop.example', 'other.example', 'www.shop.example')
  const paths = fc.constantFrom('/', '/a', '/a?b=1')
  const asked = fc.record({
    signedHost: hosts,
    host: hosts,
    signedPath: paths,
    path: paths,
    isLegacy: fc.boolean(),
    coversPath: fc.boolean(),
    flipped: fc.option(fc.nat(63)),
  })
  await fc.assert(
    fc.asyncProperty(asked, async (one) => {
      const host = ['"@authority"', one.signedHost] as const
      const target = ['"@request-target"', one.signedPath] as const
      const made = signedHeaders(signer, {
        created,
        isLegacy: one.isLegacy,
        covered: one.coversPath ? [host, target] : [host],
      })
      const bytes = Buffer.from(made.signature.slice(6, -1), 'base64')
      if (one.flipped !== null) bytes[one.flipped] = (bytes[one.flipped] ?? 0) ^ 1
      const signature = `sig1=:${bytes.toString('base64')}:`
      const fields = { 'signature-agent': made.agent, 'signature-input': made.input, signature }
      const derived = { '"@authority"': one.host, '"@request-target"': one.path }
      const second = await fits({ fields, derived }, 'sig1', signer.jwk)
      const [claim] = readClaims({ ...made, signature }) ?? []
      if (!claim) throw new Error('the signature names no signer')
      const logged = { method: 'GET', target: one.path, host: one.host, ua: 'x', referer: undefined }
      const first = judgeAt(0).judge(claim, { ...logged, ts: created * 1_000 }, site)
      expect(first.result === 'verified').toBe(second)
      // Only the path may have been rewritten before it was logged.
      if (!second) expect(first.result).toBe(one.coversPath ? 'unverified' : 'invalid')
    }),
    { numRuns: 300 },
  )
})
