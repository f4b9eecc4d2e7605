import { testPlatformId } from 'renown/testing'
import places from '../../../plugins/places'

testPlatformId({
  plugin: places,
  name: 'google-place',
  written: ['ChIJ-1'],
  other: 'ChIJ-2',
  invalid: ['no place', 'https://maps.example/1'],
})
