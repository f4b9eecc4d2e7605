import { testVisibilityEngine } from 'renown/testing'
import xai from '../../../plugins/xai'
import { createResponses } from '../../support/stand-ins/engines/responses'

const key = 'xai-test-key'

testVisibilityEngine({
  plugin: xai,
  name: 'xai',
  secret: ['XAI_API_KEY', key],
  settings: { XAI_URL: 'http://xai.test/v1' },
  standIn: () =>
    createResponses({
      key,
      dialect: 'xai',
      models: [{ id: 'grok-4.3', object: 'model', created: 1_780_000_000, owned_by: 'xai' }],
    }),
  costBasis: 'reported',
  costUsd: 0.015,
  capsSearches: false,
  givesSpans: true,
})
