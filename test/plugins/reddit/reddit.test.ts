import { testMentionSource } from 'renown/testing'
import plugin from '../../../plugins/reddit'
import { createReddit } from '../../support/stand-ins/reddit'

const secret = 'reddit-test-secret'

testMentionSource({
  plugin,
  name: 'reddit',
  secrets: [secret],
  needed: { REDDIT_CLIENT_ID: 'renown', REDDIT_CLIENT_SECRET: secret, REDDIT_USER: 'jo' },
  settings: {
    REDDIT_URL: 'http://oauth.reddit.test',
    REDDIT_TOKEN_URL: 'http://www.reddit.test/api/v1/access_token',
  },
  isSetup: ({ url }) => url.includes('access_token'),
  standIn: () => createReddit({ secret }),
})
