import { testPlugin } from 'renown/testing'
import locations from '../../../plugins/locations/index'

testPlugin(locations)
