import { testPlugin } from 'renown/testing'
import enrichment from '../../../plugins/enrichment/index'

testPlugin(enrichment)
