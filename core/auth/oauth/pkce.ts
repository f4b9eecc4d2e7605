import { equalSecrets } from '../../process/crypto'

/** Matches 32 bytes of SHA-256 in base64url. */
const challengeForm = /^[A-Za-z0-9_-]{43}$/
const verifierForm = /^[A-Za-z0-9\-._~]{43,128}$/

export const isChallenge = (text: string): boolean => challengeForm.test(text)

/** Whether a verifier matches its challenge (RFC 7636 §4.6, S256). */
export function provesChallenge(challenge: string, verifier: string): boolean {
  if (!verifierForm.test(verifier)) return false
  return equalSecrets(new Bun.CryptoHasher('sha256').update(verifier).digest('base64url'), challenge)
}
