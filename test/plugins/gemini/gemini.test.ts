import { testVisibilityEngine } from 'renown/testing'
import gemini from '../../../plugins/gemini'
import { createGemini, redirects } from '../../support/stand-ins/engines/gemini'

const key = 'AIza-test-gemini-key'
const base = {
  plugin: gemini,
  secret: ['GEMINI_API_KEY', key] as const,
  safeFetch: redirects,
  settings: { GEMINI_URL: 'http://gemini.test/v1beta' },
  costBasis: 'computed' as const,
  costUsd: 0.0218,
  capsSearches: false,
  givesSpans: true,
}

testVisibilityEngine({
  ...base,
  name: 'gemini',
  givesFound: false,
  saysNone: ['steps.n.content.n.annotations'],
  standIn: () => createGemini({ key, version: 'v2' }),
})

testVisibilityEngine({
  ...base,
  name: 'gemini-v1',
  standIn: () => createGemini({ key, version: 'v1' }),
  // Google leaves out empty lists, zeros and false.
  saysNone: [
    'candidates.n.content.parts.n.thought',
    'candidates.n.groundingMetadata.groundingSupports',
    'candidates.n.groundingMetadata.groundingSupports.n.segment.startIndex',
  ],
})
