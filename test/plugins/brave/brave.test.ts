import { testMentionSource } from 'renown/testing'
import plugin from '../../../plugins/brave'
import { createBrave } from '../../support/stand-ins/brave'

const key = 'brave-test-key'

testMentionSource({
  plugin,
  name: 'brave',
  needed: { BRAVE_API_KEY: key },
  secrets: [key],
  givesAuthor: false,
  settings: { BRAVE_URL: 'http://brave.test/res/v1', BRAVE_SEARCHES_PER_DAY: '1000000' },
  standIn: () => createBrave({ key }),
})
