-- What the machine last reported of the running print "print_id". The row of the print itself is saved less often, and a weighing uses the
-- newer one of both.
ALTER TABLE "printer_states" ADD COLUMN "figures" JSON;
