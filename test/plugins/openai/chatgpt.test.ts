import { testVisibilityEngine } from 'renown/testing'
import openai from '../../../plugins/openai'
import { createResponses } from '../../support/stand-ins/engines/responses'

const key = 'sk-test-openai-key'

testVisibilityEngine({
  plugin: openai,
  name: 'openai',
  secret: ['OPENAI_API_KEY', key],
  settings: { OPENAI_URL: 'http://openai.test/v1' },
  standIn: () =>
    createResponses({
      key,
      dialect: 'openai',
      models: [
        {
          id: 'gpt-6-luna',
          object: 'model',
          created: 1_780_000_000,
          owned_by: 'openai',
          shutdown_date: null,
        },
        {
          id: 'gpt-5',
          object: 'model',
          created: 1_750_000_000,
          owned_by: 'openai',
          shutdown_date: '2026-12-11',
        },
      ],
    }),
  costBasis: 'computed',
  costUsd: 0.011,
  capsSearches: true,
  givesSpans: true,
})
