// The keyboard help with the receipt's marks.
import { RECEIPT_LEGEND } from '../../shell/receipts/receipt-legend.ts';
import { KeyboardHelp } from './keyboard-help.tsx';

type HelpSheetProps = { readonly open: boolean; readonly onOpenChange: (open: boolean) => void };

export const HelpSheet = (props: HelpSheetProps) => <KeyboardHelp {...props} legend={RECEIPT_LEGEND} />;
