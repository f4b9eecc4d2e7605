import { testPlugin } from 'renown/testing'
import reports from '../../../plugins/reports/index'

testPlugin(reports)
