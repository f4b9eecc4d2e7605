import { testVisibilityEngine } from 'renown/testing'
import perplexity from '../../../plugins/perplexity'
import { createResponses } from '../../support/stand-ins/engines/responses'

const key = 'pplx-test-key'

testVisibilityEngine({
  plugin: perplexity,
  name: 'perplexity',
  secret: ['PERPLEXITY_API_KEY', key],
  settings: { PERPLEXITY_URL: 'http://pplx.test/v1/' },
  standIn: () => createResponses({ key, dialect: 'perplexity' }),
  costBasis: 'reported',
  costUsd: 0.008,
  capsSearches: true,
  givesSpans: true,
})
