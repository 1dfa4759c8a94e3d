// Tests what the two documents leave open, on one gateway.
import './silent-points/blank-values';
import './silent-points/cameras';
import './silent-points/print-jobs';
import './silent-points/wire';
