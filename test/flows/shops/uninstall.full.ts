import { stages } from '../changes/order-stages.ts';
import { testUninstall } from './uninstall.ts';

testUninstall(stages);
