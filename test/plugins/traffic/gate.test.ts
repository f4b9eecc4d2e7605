import { testPlugin } from 'renown/testing'
import traffic from '../../../plugins/traffic/index'

testPlugin(traffic)
