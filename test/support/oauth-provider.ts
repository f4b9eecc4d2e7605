import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js'
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import type { Decision, SignedInPerson } from './person'

/** What an app built on either SDK keeps, and how it sends its person to the browser. */
export interface AppMemory extends OAuthClientProvider {
  /** Where the browser was sent after the consent. */
  answer?: URL
  /** Times a person was asked. */
  readonly questions: URL[]
  readonly kept: {
    tokens?: OAuthTokens
    client?: OAuthClientInformationMixed
    verifier?: string
    discovery?: OAuthDiscoveryState
  }
}

/** `decisions` are what the person says, one after another; everything is allowed after the last. */
export function createAppMemory(person: SignedInPerson, decisions: readonly Decision[] = []): AppMemory {
  const kept: AppMemory['kept'] = {}
  const questions: URL[] = []
  const redirectUrl = 'http://localhost:41414/callback'
  const memory: AppMemory = {
    kept,
    questions,
    redirectUrl,
    clientMetadata: {
      client_name: 'An app on an SDK',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    } satisfies OAuthClientMetadata,
    state: () => 'state-of-the-app',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (state) => {
      kept.discovery = state
    },
    discoveryState: () => kept.discovery,
    async redirectToAuthorization(url) {
      const decision = decisions[questions.length]
      questions.push(url)
      memory.answer = await person.decide(url, decision)
    },
  }
  return memory
}
