// The print job document, sentence by sentence, on one gateway.
import './print-job-service/create';
import './print-job-service/list-and-read';
import './print-job-service/resources';
import './print-job-service/status-and-delete';
import './print-job-service/transitions';
import './print-job-service/update';
