/** An operator that signs the requests of its agents. */
export interface Signer {
  /** The host in `Signature-Agent`, where the operator publishes its keys. */
  readonly host: string
  readonly operator: string
  /** The agent of a signed request whose user agent names none. */
  readonly agent: string
}

/**
 * All known signers. Renown fetches only their keys, so nobody can make it fetch another address by sending
 * signatures.
 */
export const signers: readonly Signer[] = [
  { host: 'chatgpt.com', operator: 'OpenAI', agent: 'ChatGPT Agent' },
  { host: 'agent.bot.goog', operator: 'Google', agent: 'Google-Agent' },
]
