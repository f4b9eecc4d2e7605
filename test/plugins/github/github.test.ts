import { testMentionSource } from 'renown/testing'
import plugin from '../../../plugins/github'
import { createGitHub } from '../../support/stand-ins/github'

const token = 'github-test-token'

testMentionSource({
  ...{ plugin, name: 'github', needed: { GITHUB_TOKEN: token }, secrets: [token] },
  settings: { GITHUB_URL: 'http://api.github.test/graphql' },
  standIn: () => createGitHub({ token }),
})
