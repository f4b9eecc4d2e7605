import { describe, expect, test } from 'bun:test'
import { createPublicKey } from 'node:crypto'
import type { InnerList } from 'structured-headers'
import { signatureBases } from '../../../../ingest/judge/signature/base'
import { type Proof, readClaims, unverified } from '../../../../ingest/judge/signature/claim'
import { isSignedBy, thumbprint } from '../../../../ingest/judge/signature/keys'
import { parseDictionary } from '../../../../ingest/judge/signature/structured'

/** The public test keys of RFC 9421, Appendix B.1.2 and B.1.4. */
const ed25519 = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' } as const
const rsaPss = {
  kty: 'RSA',
  e: 'AQAB',
  n: 'r4tmm3r20Wd_PbqvP1s2-QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct-Lh1GH45x28Rw3Ry53mm-oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHqgDsznjPFmTOtCEcN2Z1FpWgchwuYLPL-Wokqltd11nqqzi-bJ9cvSKADYdUAAN5WUtzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4aOT9v6d-nb4bnNkQVklLQ3fVAvJm-xdDOp9LCNCN48V2pnDOkFV6-U9nV5oyc6XI2w',
} as const

/** The examples of draft-ietf-webbotauth-httpsig-protocol, Appendix E. */
const vectors = [
  {
    name: 'E.1.1: RSA-PSS, a dictionary',
    key: rsaPss,
    agent: 'agent2="https://signature-agent.test"',
    input:
      'sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA";alg="rsa-pss-sha512";expires=4889289600;nonce="wcfPQPh7SzkvrIVvhD00vNk9PkxJNY2NVbYl2PVBB4zmUoluSwE7W6bPtF60QA3k8g06FU7PPCD+J58YofY1zg==";tag="web-bot-auth"',
    signature:
      'sig2=:gHzpLNeHaHIO19NaJH9YMW5dcVSi2s0wOMBr6p18vcofS106sfC4KBIS0/szPlBBd1vIcyQ88B6CTEWIhRAiVrb9zfX0mx1aG12CSGWcYkSirHeyTxhbuJvXd27ed6skWoy4PjXItq38936ivUQjfdIwXh1aX6HxkAC3vRnEdSNfntkLWeEuIQ5BLIOBGE39fSwg27Qjq6OVWYas/9/aFUr3HA34MXWYdp+//cvlEKDp3kRoLOw9ro0AOr6srHrTeEtxon2afcws1aZVSlPdd2fZSEIGmw9HAHLDCEkFTERu1gH2k/zIEqgy7CAYXI9E5slog0cLg/Vc6+f8gih33g==:',
    refusedFor: unverified.lifetime,
  },
  {
    name: 'E.2.1: Ed25519, a dictionary',
    key: ed25519,
    agent: 'agent2="https://signature-agent.test"',
    input:
      'sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"',
    signature:
      'sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:',
    refusedFor: unverified.lifetime,
  },
  {
    name: 'E.2.2: Ed25519, the string of earlier drafts',
    key: ed25519,
    agent: '"https://signature-agent.test"',
    input:
      'sig2=("@authority" "signature-agent");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=1735693200;nonce="e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==";tag="web-bot-auth"',
    signature:
      'sig2=:jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==:',
    refusedFor: unverified.testKey,
  },
] as const

const request = {
  method: 'GET',
  target: '/path/to/resource',
  host: 'example.com',
  ua: '',
  referer: undefined,
}

describe('the examples of the draft', () => {
  for (const { name, key, agent, input, signature, refusedFor } of vectors) {
    const made = parseDictionary(signature)?.get('sig2')?.[0]
    const proof: Proof = {
      keyid: thumbprint(key),
      alg: undefined,
      created: 0,
      expires: 0,
      input: parseDictionary(input)?.get('sig2') as InnerList,
      signature: made instanceof ArrayBuffer ? Buffer.from(made) : Buffer.alloc(0),
      agentField: agent,
      agentMembers: parseDictionary(agent),
    }
    const object = createPublicKey({ key, format: 'jwk' })

    test(`${name}: the signature fits, and none with a changed byte does`, () => {
      expect(input).toContain(`keyid="${proof.keyid}"`)
      const [text = ''] = signatureBases(proof, request, 'example.com')?.texts ?? []
      expect(isSignedBy(object, text, proof.signature)).toBe(true)
      for (let at = 0; at < text.length; at += 7) {
        const changed = text.slice(0, at) + (text[at] === 'x' ? 'y' : 'x') + text.slice(at + 1)
        expect(isSignedBy(object, changed, proof.signature)).toBe(false)
      }
      for (let at = 0; at < proof.signature.length; at += 5) {
        const changed = Buffer.from(proof.signature)
        changed[at] = (changed[at] ?? 0) ^ 1
        expect(isSignedBy(object, text, changed)).toBe(false)
      }
    })

    test(`${name}: it is refused all the same, because everybody has its key`, () => {
      expect(readClaims({ agent, input, signature })).toEqual([
        { signer: 'signature-agent.test', problem: refusedFor },
      ])
    })
  }
})
