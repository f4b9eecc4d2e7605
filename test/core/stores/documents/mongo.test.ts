import { describe, test } from 'bun:test'
import { openMongo } from '../../../../core/stores/documents/mongo'
import { documentsConformance } from '../../../support/documents-conformance'
import { mongoUri } from '../../../support/mongo'
import { quietLog } from '../../../support/quiet-log'

const uri = mongoUri()
if (uri) {
  documentsConformance('MongoDB', async () => {
    const documents = await openMongo({ uri, now: () => new Date(), log: quietLog })
    return { documents, close: () => documents.close() }
  })
} else {
  describe('documents on MongoDB', () => {
    test.skip('not exercised: RENOWN_TEST_MONGODB_URI is not set', () => undefined)
  })
}
