import { testVisibilityEngine } from 'renown/testing'
import mistral from '../../../plugins/mistral'
import { createMistral } from '../../support/stand-ins/engines/mistral'

const key = 'mistral-test-key'

testVisibilityEngine({
  plugin: mistral,
  name: 'mistral',
  secret: ['MISTRAL_API_KEY', key],
  settings: { MISTRAL_URL: 'http://mistral.test/v1' },
  standIn: () =>
    createMistral({
      key,
      models: [
        { id: 'mistral-medium-2611', object: 'model', aliases: ['mistral-medium-latest'], deprecation: null },
        { id: 'mistral-tiny', object: 'model', aliases: [], deprecation: '2026-12-31T12:00:00Z' },
      ],
    }),
  saysNone: ['outputs.n.content.n.url'],
  costBasis: 'computed',
  costUsd: 0.034,
  capsSearches: false,
  givesSpans: false,
  givesFound: false,
})
