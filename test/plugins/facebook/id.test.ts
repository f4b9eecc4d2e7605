import { testPlatformId } from 'renown/testing'
import facebook from '../../../plugins/facebook'

testPlatformId({
  plugin: facebook,
  name: 'facebook-page',
  written: ['777'],
  other: '778',
  invalid: ['https://facebook.com/acme', 'a page'],
})
