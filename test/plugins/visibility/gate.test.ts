import { testPlugin } from 'renown/testing'
import visibility from '../../../plugins/visibility/index'

testPlugin(visibility)
